import type { Print, Tools } from './tools.js';

export async function printEvents(
  { eventStore }: Tools,
  stream: string,
  options: { json: boolean; print: Print },
): Promise<boolean> {
  const events = await eventStore.readStream(stream);
  for (const { position, version, type, recordedAt, data, metadata, hash } of events) {
    if (options.json)
      options.print(JSON.stringify({ position, stream, version, type, recordedAt, data, metadata, hash }));
    else
      options.print(
        `${String(position).padStart(7)}  v${version}  ${recordedAt.toISOString()}  ${type}  ${JSON.stringify(data)}`,
      );
  }
  return events.length > 0;
}
