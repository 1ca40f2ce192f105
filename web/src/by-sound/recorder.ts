import { useEffect, useRef, useState } from 'react';

const LIMIT_MS = 15_000;

type Recorder =
  | { status: 'idle' }
  | { status: 'asking' }
  | { status: 'recording'; sinceMs: number }
  | { status: 'failed'; reason: string };

/**
 * Records the microphone until `stop`, for at most 15 seconds.
 * @param onSound not called if the microphone cannot be used, or after the component is removed
 */
export function useRecorder(onSound: (sound: Blob) => void) {
  const [state, setState] = useState<Recorder>({ status: 'idle' });
  const recording = useRef<MediaRecorder | null>(null);
  const isGone = useRef(false);
  useEffect(() => {
    isGone.current = false;
    return () => {
      isGone.current = true;
      if (recording.current?.state === 'recording') recording.current.stop();
    };
  }, []);

  const start = async () => {
    setState({ status: 'asking' });
    try {
      const stream = await navigator.mediaDevices.getUserMedia({
        // Turns off the filters for speech, because they would change the recorded sound.
        audio: { echoCancellation: false, noiseSuppression: false, autoGainControl: false },
      });
      const release = () => stream.getTracks().forEach((track) => track.stop());
      if (isGone.current) return release();
      const recorder = new MediaRecorder(stream);
      recording.current = recorder;
      const limit = setTimeout(() => recorder.stop(), LIMIT_MS);
      const parts: Blob[] = [];
      recorder.ondataavailable = ({ data }) => void parts.push(data);
      recorder.onstop = () => {
        clearTimeout(limit);
        release();
        if (isGone.current) return;
        setState({ status: 'idle' });
        onSound(new Blob(parts, { type: recorder.mimeType }));
      };
      recorder.start();
      setState({ status: 'recording', sinceMs: performance.now() });
    } catch (error) {
      const isDenied = error instanceof DOMException && error.name === 'NotAllowedError';
      const reason = isDenied
        ? 'The browser does not allow this page to use the microphone.'
        : 'No microphone was found.';
      setState({ status: 'failed', reason });
    }
  };
  return { state, start, stop: () => recording.current?.stop() };
}
