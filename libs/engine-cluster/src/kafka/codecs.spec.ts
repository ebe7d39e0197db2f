import kafkajs from 'kafkajs';
import { compress } from 'snappy';
import { readEveryCodec } from './codecs.js';

const { CompressionCodecs, CompressionTypes } = kafkajs;

interface Codec {
  decompress(bytes: Buffer): Promise<Buffer>;
}

it('reads a block of snappy without the frame of Java, as other clients send it', async () => {
  readEveryCodec();
  const text = Buffer.from('a message of many words, '.repeat(1_000));
  const codec = CompressionCodecs[CompressionTypes.Snappy]() as Codec;
  expect(await codec.decompress(await compress(text))).toEqual(text);
});
