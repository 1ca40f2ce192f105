/**
 * Columns of values as PostgreSQL's binary array format, which `unnest` takes as parameters.
 *
 * As text every element is quoted and escaped here and unescaped there, and JSON is all quotes: that took a
 * third of what writing a purchase costs this process. pg sends Buffers in binary as they are.
 */
export interface BinaryArrays {
  text(values: readonly (string | null)[]): Buffer;
  json(values: readonly string[]): Buffer;
  jsonb(values: readonly string[]): Buffer;
  int4(values: readonly (number | null)[]): Buffer;
  int8(values: readonly number[]): Buffer;
  /** To the millisecond. */
  timestamptz(values: readonly (Date | null)[]): Buffer;
  /** Hexadecimal in. */
  bytea(values: readonly string[]): Buffer;
}

/** Object ids of the element types, which PostgreSQL compares with the parameter's. */
const OID = { bytea: 17, int8: 20, int4: 23, text: 25, json: 114, timestamptz: 1184, jsonb: 3802 };

const HEADER_BYTES = 20;
const NULL_LENGTH = -1;
const JSONB_FORMAT = 1;
/** PostgreSQL counts microseconds from here. */
const EPOCH_MS = Date.UTC(2000, 0, 1);
const WORD = 0x1_0000_0000;

/** Where arrays are put together before they are copied to their exact size; grows, and is kept. */
let scratch = Buffer.allocUnsafe(64 * 1024);
let end = 0;

export const binaryArrays: BinaryArrays = {
  text: (values) => encode(OID.text, values, putText),
  json: (values) => encode(OID.json, values, putText),
  jsonb: (values) => encode(OID.jsonb, values, putJsonb),
  int4: (values) => encode(OID.int4, values, putInt4),
  int8: (values) => encode(OID.int8, values, putInt8),
  timestamptz: (values) => encode(OID.timestamptz, values, putTimestamp),
  bytea: (values) => encode(OID.bytea, values, putHex),
};

function encode<Value>(oid: number, values: readonly (Value | null)[], put: (value: Value) => void): Buffer {
  end = HEADER_BYTES;
  let hasNull = 0;
  for (const value of values) {
    if (value === null) {
      hasNull = 1;
      reserve(4);
      end = scratch.writeInt32BE(NULL_LENGTH, end);
    } else put(value);
  }
  // An empty array has no dimensions.
  scratch.writeInt32BE(values.length === 0 ? 0 : 1, 0);
  scratch.writeInt32BE(hasNull, 4);
  scratch.writeInt32BE(oid, 8);
  scratch.writeInt32BE(values.length, 12);
  scratch.writeInt32BE(1, 16);
  return Buffer.from(scratch.subarray(0, values.length === 0 ? 12 : end));
}

function reserve(bytes: number): void {
  if (end + bytes <= scratch.length) return;
  const larger = Buffer.allocUnsafe(Math.max(end + bytes, scratch.length * 2));
  scratch.copy(larger, 0, 0, end);
  scratch = larger;
}

function putText(value: string): void {
  // No UTF-16 unit takes more than three bytes of UTF-8.
  reserve(4 + value.length * 3);
  const bytes = scratch.write(value, end + 4);
  scratch.writeInt32BE(bytes, end);
  end += 4 + bytes;
}

function putJsonb(value: string): void {
  reserve(5 + value.length * 3);
  const bytes = scratch.write(value, end + 5);
  scratch.writeInt32BE(bytes + 1, end);
  scratch[end + 4] = JSONB_FORMAT;
  end += 5 + bytes;
}

function putInt4(value: number): void {
  reserve(8);
  scratch.writeInt32BE(4, end);
  end = scratch.writeInt32BE(value, end + 4);
}

/** The two halves of a 64-bit integer, without a BigInt for each. */
function putInt8(value: number): void {
  reserve(12);
  const high = Math.floor(value / WORD);
  scratch.writeInt32BE(8, end);
  scratch.writeInt32BE(high, end + 4);
  end = scratch.writeUInt32BE(value - high * WORD, end + 8);
}

function putTimestamp(value: Date): void {
  putInt8((value.getTime() - EPOCH_MS) * 1_000);
}

function putHex(value: string): void {
  const bytes = value.length / 2;
  reserve(4 + bytes);
  scratch.writeInt32BE(bytes, end);
  scratch.write(value, end + 4, 'hex');
  end += 4 + bytes;
}
