import type { Print, Tools } from './tools.js';

export async function printEvents(
  { eventStore }: Tools,
  { stream, json }: { stream: string; json: boolean },
  print: Print,
): Promise<boolean> {
  const events = await eventStore.readStream(stream);
  for (const { position, version, type, recordedAt, data, metadata, hash } of events)
    print(
      json
        ? JSON.stringify({ position, stream, version, type, recordedAt, data, metadata, hash })
        : `${String(position).padStart(7)}  v${version}  ${recordedAt.toISOString()}  ${type}  ${JSON.stringify(data)}`,
    );
  if (events.length === 0) console.error(`offcut: the stream ${stream} has no events`);
  return events.length > 0;
}
