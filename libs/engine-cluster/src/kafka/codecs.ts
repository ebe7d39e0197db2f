import kafkajs from 'kafkajs';

const { CompressionCodecs, CompressionTypes } = kafkajs;
/** The header of Java's snappy library. After it, each block follows its length. */
const FRAMED = Buffer.from([0x82, ...Buffer.from('SNAPPY'), 0]);
const FRAME_HEADER_BYTES = 16;
const LENGTH_BYTES = 4;

/** Decompresses only: this service sends messages uncompressed. */
const reader = (decompress: (bytes: Buffer) => Promise<Buffer>) => () => ({ decompress });

/**
 * Adds the codecs that the driver lacks: it has only gzip, and any other codec would end its consumers. Other programs may compress
 * messages, and brokers do so if a topic's `compression.type` says so. A decoder is loaded on first use.
 */
export function readEveryCodec(): void {
  CompressionCodecs[CompressionTypes.Snappy] = reader(unsnappy);
  CompressionCodecs[CompressionTypes.LZ4] = reader(async (bytes) => (await import('lz4-napi')).decompressFrame(bytes));
  CompressionCodecs[CompressionTypes.ZSTD] = reader(async (bytes) => Buffer.from((await import('fzstd')).decompress(bytes)));
}

/** Java frames its blocks; other clients send a single block. */
async function unsnappy(bytes: Buffer): Promise<Buffer> {
  if (!bytes.subarray(0, FRAMED.length).equals(FRAMED)) return unsnappyBlock(bytes);
  const blocks: Buffer[] = [];
  for (let at = FRAME_HEADER_BYTES; at < bytes.length;) {
    const end = at + LENGTH_BYTES + bytes.readUInt32BE(at);
    blocks.push(await unsnappyBlock(bytes.subarray(at + LENGTH_BYTES, end)));
    at = end;
  }
  return Buffer.concat(blocks);
}

async function unsnappyBlock(block: Buffer): Promise<Buffer> {
  const { uncompress } = await import('snappy');
  return Buffer.from(await uncompress(block));
}
