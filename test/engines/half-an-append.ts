import streams from '@eventstore/db-client/generated/streams_pb.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:http2';
import { connect as connectSocket } from 'node:net';

/** Sends the beginning of an append to a stream that is new, with one event, and dies: its connection is cut. */
export async function sendHalfAnAppend(url: string, stream: string): Promise<void> {
  const { hostname, port } = new URL(url.replace('esdb:', 'http:'));
  const socket = connectSocket(Number(port), hostname);
  await once(socket, 'connect');
  const session = connect(`http://${hostname}:${port}`, { createConnection: () => socket }).on('error', () => undefined);
  const call = session.request({
    ':method': 'POST',
    ':path': '/event_store.client.streams.Streams/Append',
    'content-type': 'application/grpc',
    te: 'trailers',
  });
  call.on('error', () => undefined);
  call.write(framed(optionsFor(stream)));
  await new Promise((written) => call.write(framed(oneEvent()), written));
  socket.destroy();
  await once(socket, 'close');
  session.destroy();
}

function optionsFor(stream: string): Uint8Array {
  const name = new shared.StreamIdentifier();
  name.setStreamName(Buffer.from(stream));
  const options = new streams.AppendReq.Options();
  options.setStreamIdentifier(name);
  options.setNoStream(new shared.Empty());
  const request = new streams.AppendReq();
  request.setOptions(options);
  return request.serializeBinary();
}

function oneEvent(): Uint8Array {
  const id = new shared.UUID();
  id.setString(randomUUID());
  const event = new streams.AppendReq.ProposedMessage();
  event.setId(id);
  event.getMetadataMap().set('type', 'Noted').set('content-type', 'application/json');
  event.setData(Buffer.from('{}'));
  const request = new streams.AppendReq();
  request.setProposedMessage(event);
  return request.serializeBinary();
}

/** A message of gRPC: not compressed, its length, itself. */
function framed(message: Uint8Array): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt32BE(message.length, 1);
  return Buffer.concat([head, message]);
}
