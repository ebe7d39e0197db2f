import { ApiSchema } from '@nestjs/swagger';
import { toTime } from '@application/read-models/time.resource';
import type { DomainEvent } from '@domain/kernel/decider';
import type { Recorded } from '@ports/event-store.port';
import { streamCategory } from '@ports/stream-category';
import { COUNT, Member, METADATA, TEXT, TIME } from '../../http/docs/schemas.resource.js';

@ApiSchema({ description: 'An event of the log, as it is stored: a line.' })
export class LogLineResource {
  @Member(TEXT, 'Its place in the log, to go on after.') position!: string;
  @Member(TEXT, 'The stream that it belongs to.') stream!: string;
  @Member(COUNT, 'Its number in the stream, from 0.') revision!: number;
  @Member(TEXT, 'What its stream is about: the name of the stream up to the first `-`.') category!: string;
  @Member(TEXT, 'What happened.') type!: string;
  @Member(TIME, 'When it happened, by the clock of the process that stored it.') at!: string;
  @Member(METADATA, 'Its other members. Times in them are milliseconds since 1970; secrets are hashed or encrypted.')
  data!: object;
  @Member({ ...METADATA, nullable: true }, 'Its causes; null on events of earlier versions.') envelope!: object | null;
}

export function toLogLine({ position, stream, revision, event, metadata }: Recorded): LogLineResource {
  const { type, at } = event;
  const category = streamCategory(stream);
  return { position, stream, revision, category, type, at: toTime(at), data: dataOf(event), envelope: metadata ?? null };
}

export function dataOf({ type: _type, at: _at, ...data }: DomainEvent): object {
  return data;
}
