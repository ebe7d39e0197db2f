import { isUtf8 } from 'node:buffer';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { DomainError } from '@domain/kernel/domain-error';
import type { Clock } from '@ports/clock.port';
import type { BodyBudget } from './body-budget.js';
import { holdsLoneSurrogate, isDeeperThan, MetadataText } from './metadata-text.js';
import { memberText } from './raw-members.js';
import { readBytes, readNothing, unsupported } from './read-bytes.js';

const MAX_LEVELS = 32;
const JSON_TYPE = /^application\/json\s*(?:;|$)/i;
const CHARSET = /;\s*charset\s*=\s*"?([^\s";]*)/i;
const UTF_8 = /^utf-?8$/i;

const METADATA_HOLDERS = ['customer', 'overrides'] as const;

type JsonObject = Record<string, unknown>;

/** A body as sent; `metadata` in it is `MetadataText`. */
export class JsonBody {
  constructor(
    readonly text: string,
    readonly members: Readonly<JsonObject>,
    readonly loneSurrogateIn: string | null,
  ) {}
}

export const NO_BODY = new JsonBody('{}', {}, null);

/** A complete body that is not parsed; a fault that the pipeline checks first takes precedence. */
export class RefusedBody {
  constructor(readonly refusal: Error) {}
}

type Done = (error: Error | null, body?: JsonBody | RefusedBody) => void;

/** Makes JSON the only content type; hooks find a `JsonBody` or `RefusedBody` in `request.body`. */
export function acceptJsonOnly(fastify: FastifyInstance, budget: Pick<BodyBudget, 'admit'>, clock: Clock): void {
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser('application/json', (request, payload, done) => {
    if (!isJsonInUtf8(request.headers['content-type'] ?? '')) return done(unsupported());
    if (isEncoded(request)) return done(encoded());
    readBytes(request, payload, clock, (unread, bytes) => {
      if (unread) done(unread);
      else budget.admit(request, bytes, (refusal) => (refusal ? done(null, new RefusedBody(refusal)) : parse(bytes, done)));
    });
  });
  fastify.addContentTypeParser('*', (request, payload, done) => {
    const { 'content-type': type, 'content-length': length } = request.headers;
    if (type !== undefined && length !== '0') done(unsupported());
    else readNothing(request, payload, clock, (refusal) => done(refusal, NO_BODY));
  });
}

function parse(bytes: Buffer, done: Done): void {
  let body: JsonBody;
  try {
    body = parseBody(bytes);
  } catch (error) {
    return done(error as Error);
  }
  done(null, body);
}

/** JSON has no parameters of its own (RFC 8259): only another charset is an error. */
function isJsonInUtf8(type: string): boolean {
  const charset = CHARSET.exec(type)?.[1];
  return JSON_TYPE.test(type) && (charset === undefined || UTF_8.test(charset));
}

/** Encoded bodies are refused: a small one may decode to a large one. */
function isEncoded({ headers }: FastifyRequest): boolean {
  const encoding = headers['content-encoding'] ?? 'identity';
  return encoding.trim().toLowerCase() !== 'identity';
}

function encoded(): DomainError {
  return new DomainError('content_type_unsupported', 'Send the body without a Content-Encoding.');
}

function parseBody(bytes: Buffer): JsonBody {
  if (bytes.length === 0) return NO_BODY;
  if (!isUtf8(bytes)) throw new DomainError('json_invalid', 'The body is not UTF-8.');
  const text = bytes.toString('utf8');
  const members = parseObject(text);
  keepMetadata(members, text);
  for (const name of METADATA_HOLDERS) {
    const holder = members[name];
    if (isObject(holder) && Object.hasOwn(holder, 'metadata')) keepMetadata(holder, memberText(text, name) ?? '');
  }
  if (mayBeDeep(text) && Object.values(members).some((value) => !(value instanceof MetadataText) && isTooDeep(value))) {
    throw new DomainError('json_invalid', `The body is nested deeper than ${MAX_LEVELS} levels.`);
  }
  return new JsonBody(text, members, text.includes('\\u') ? loneSurrogateIn(members) : null);
}

function parseObject(text: string): JsonObject {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw new DomainError('json_invalid', 'The body is not valid JSON.');
  }
  if (!isObject(parsed)) throw new DomainError('json_invalid', 'The body must be a JSON object.');
  return parsed;
}

function keepMetadata(holder: JsonObject, text: string): void {
  // Null is left as it is: it means absent.
  if (!Object.hasOwn(holder, 'metadata') || holder['metadata'] === null) return;
  holder['metadata'] = new MetadataText(copyOf(memberText(text, 'metadata') ?? '{}'), holder['metadata']);
}

/** V8 keeps a whole string alive for a slice of it, and metadata lives long in caches. */
function copyOf(part: string): string {
  return Buffer.from(part).toString();
}

/** Searching for brackets is cheap; visiting every value of a long body takes milliseconds. */
function mayBeDeep(text: string): boolean {
  let brackets = 0;
  for (const bracket of '{[') {
    for (let at = text.indexOf(bracket); at >= 0; at = text.indexOf(bracket, at + 1)) {
      if (++brackets > MAX_LEVELS) return true;
    }
  }
  return false;
}

/** Excludes metadata, which has a bound of its own; it can only be here or one level deeper. */
function isTooDeep(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).some((inner) => !(inner instanceof MetadataText) && isDeeperThan(MAX_LEVELS - 2, inner));
}

function loneSurrogateIn(members: JsonObject): string | null {
  for (const [name, value] of Object.entries(members)) {
    if (value instanceof MetadataText) continue;
    if (holdsLoneSurrogate(name)) return name;
    if (isObject(value)) {
      const inner = loneSurrogateIn(value);
      if (inner !== null) return inner;
    } else if (holdsLoneSurrogate(value)) return name;
  }
  return null;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
