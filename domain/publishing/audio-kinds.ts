/** The accepted kinds of audio file, as messages list them. */
export const AUDIO_KINDS = 'WAV, AIFF, FLAC, MP3, Ogg, Opus, M4A or AAC';
/** Names of accepted files. Imports choose files by name; the content decides whether they are accepted. */
export const AUDIO_NAME = /\.(wav|aif|aiff|aifc|flac|mp3|ogg|oga|opus|m4a|aac)$/i;
/**
 * The `accept` attribute of file dialogs. Also lists extensions, because some systems do not know the media type of
 * each.
 */
export const AUDIO_ACCEPT = 'audio/*,.wav,.aif,.aiff,.aifc,.flac,.mp3,.ogg,.oga,.opus,.m4a,.aac';
