/** The accepted kinds, for messages. */
export const AUDIO_KINDS = 'WAV, AIFF, FLAC, MP3, Ogg, Opus, M4A or AAC';
/** Names of accepted files. Imports choose files by name; the content decides whether they are accepted. */
export const AUDIO_NAME = /\.(wav|aif|aiff|aifc|flac|mp3|ogg|oga|opus|m4a|aac)$/i;
/** For file dialogs. Some systems know no type for some extensions. */
export const AUDIO_ACCEPT = 'audio/*,.wav,.aif,.aiff,.aifc,.flac,.mp3,.ogg,.oga,.opus,.m4a,.aac';
