import features from '@eventstore/db-client/generated/serverfeatures_pb.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import { ANY, NO_STREAM, STREAM_EXISTS } from './append-rules.mjs';

const { AppendResp, DeleteResp, ReadResp, TombstoneResp } = streams;
const { Empty, StreamIdentifier, UUID } = shared;
const VERSION = '24.10.0';
/** A missing position: -1 as an unsigned number. */
export const NO_POSITION = 2n ** 64n - 1n;

// 64-bit numbers are strings in these messages, stream names are bytes.

export const streamName = (identifier) => Buffer.from(identifier.getStreamName_asU8()).toString('utf8');

function identifierOf(name) {
  const identifier = new StreamIdentifier();
  identifier.setStreamName(Buffer.from(name).toString('base64'));
  return identifier;
}

export function expectedOf(options) {
  if (options.hasAny()) return ANY;
  if (options.hasNoStream()) return NO_STREAM;
  return options.hasStreamExists() ? STREAM_EXISTS : Number(options.getRevision());
}

export function proposed(message) {
  const metadata = message.getMetadataMap();
  return {
    id: message.getId().getString(),
    type: metadata.get('type'),
    contentType: metadata.get('content-type'),
    data: Buffer.from(message.getData_asU8()),
    metadata: Buffer.from(message.getCustomMetadata_asU8()),
  };
}

export function appended({ revision, position }, prepare = position) {
  const at = new AppendResp.Position();
  at.setCommitPosition(String(position));
  at.setPreparePosition(String(prepare));
  const success = new AppendResp.Success();
  success.setCurrentRevision(String(revision));
  success.setPosition(at);
  return new AppendResp().setSuccess(success);
}

export function wrongExpectedVersion(current, options) {
  const wrong = new AppendResp.WrongExpectedVersion();
  if (current === -1) wrong.setCurrentNoStream(new Empty());
  else wrong.setCurrentRevision(String(current));
  if (options.hasNoStream()) wrong.setExpectedNoStream(new Empty());
  else if (options.hasAny()) wrong.setExpectedAny(new Empty());
  else if (options.hasStreamExists()) wrong.setExpectedStreamExists(new Empty());
  else wrong.setExpectedRevision(options.getRevision());
  return new AppendResp().setWrongExpectedVersion(wrong);
}

function deletedAt(Response, position) {
  const at = new Response.Position();
  at.setCommitPosition(String(position));
  at.setPreparePosition(String(position));
  return new Response().setPosition(at);
}

export const softDeleted = (position) => deletedAt(DeleteResp, position);
export const tombstoned = (position) => deletedAt(TombstoneResp, position);

/** `withPosition` is false for servers before 22.6. */
export function event(record, withPosition, prepare = record.position) {
  const recorded = new ReadResp.ReadEvent.RecordedEvent();
  const id = new UUID();
  id.setString(record.id);
  recorded.setId(id);
  recorded.setStreamIdentifier(identifierOf(record.stream));
  recorded.setStreamRevision(String(record.revision));
  recorded.setCommitPosition(withPosition ? String(record.position) : String(NO_POSITION));
  recorded.setPreparePosition(withPosition ? String(prepare) : String(NO_POSITION));
  recorded.getMetadataMap().set('type', record.type);
  recorded.getMetadataMap().set('content-type', record.contentType);
  recorded.getMetadataMap().set('created', String(record.created));
  recorded.setData(record.data);
  recorded.setCustomMetadata(record.metadata);
  const read = new ReadResp.ReadEvent();
  read.setEvent(recorded);
  if (withPosition) read.setCommitPosition(String(record.position));
  else read.setNoPosition(new Empty());
  return new ReadResp().setEvent(read);
}

export function streamNotFound(name) {
  const notFound = new ReadResp.StreamNotFound();
  notFound.setStreamIdentifier(identifierOf(name));
  return new ReadResp().setStreamNotFound(notFound);
}

export function confirmation(id) {
  const confirmed = new ReadResp.SubscriptionConfirmation();
  confirmed.setSubscriptionId(id);
  return new ReadResp().setConfirmation(confirmed);
}

export const caughtUp = () => new ReadResp().setCaughtUp(new ReadResp.CaughtUp());

export function checkpoint(position) {
  const reached = new ReadResp.Checkpoint();
  reached.setCommitPosition(String(position));
  reached.setPreparePosition(String(position));
  return new ReadResp().setCheckpoint(reached);
}

/** A client that finds `batchappend` here uses it for appends without credentials. */
export function supportedMethods() {
  const all = new features.SupportedMethods();
  all.setEventStoreServerVersion(VERSION);
  for (const name of ['append', 'batchappend', 'read', 'delete', 'tombstone']) {
    const method = new features.SupportedMethod();
    method.setServiceName('event_store.client.streams.streams');
    method.setMethodName(name);
    if (name === 'read') method.setFeaturesList(['position', 'events']);
    all.addMethods(method);
  }
  return all;
}
