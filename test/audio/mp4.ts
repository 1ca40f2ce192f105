/** Boxes that contain only other boxes, on the path to the tables of packets. */
const PARENTS = ['moov', 'trak', 'mdia', 'minf', 'stbl'];

/** Returns an M4A whose index comes last and claims this many packets, all in one chunk. */
export function m4aOfOneChunk(original: Buffer, packets: number): Buffer {
  const sizes = Buffer.alloc(packets * 4);
  for (let at = 0; at < sizes.length; at += 4) sizes.writeUInt32BE(200, at);
  const tables: Record<string, Buffer> = {
    stts: numbers(0, 1, packets, 1_024),
    stsc: numbers(0, 1, 1, packets, 1),
    stsz: Buffer.concat([numbers(0, 0, packets), sizes]),
  };
  const rebuilt = (boxes: Buffer): Buffer => {
    const parts: Buffer[] = [];
    for (let at = 0; at < boxes.length; at += boxes.readUInt32BE(at)) {
      const type = boxes.toString('latin1', at + 4, at + 8);
      const content = boxes.subarray(at + 8, at + boxes.readUInt32BE(at));
      const made = tables[type] ?? (PARENTS.includes(type) ? rebuilt(content) : content);
      parts.push(numbers(made.length + 8), Buffer.from(type, 'latin1'), made);
    }
    return Buffer.concat(parts);
  };
  return rebuilt(original);
}

function numbers(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  values.forEach((value, index) => bytes.writeUInt32BE(value, index * 4));
  return bytes;
}
