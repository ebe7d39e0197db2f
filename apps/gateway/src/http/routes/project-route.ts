import type { Type } from '@nestjs/common';
import type { ErrorCode } from '@domain/kernel/domain-error';
import type { ItemId } from '@application/paging/item-id';
import type { Scope } from '@domain/project/scope';
import type { Filters } from '../paging/list-filters.js';
import type { RateClass } from './routes.js';

export interface Answer {
  readonly status: 200 | 201 | 202;
  readonly description: string;
  readonly resource: Type<object>;
  /** Present where the answer is a page, to a write all of its items; the kind of its items' ids. Null where all are on it. */
  readonly list?: ItemId | null;
  /** Default order; `newest` when absent. */
  readonly first?: 'newest' | 'oldest';
  /** The answer is a stream: of server-sent events, each with such a resource as its data, or of lines, each such a resource. */
  readonly stream?: 'text/event-stream' | 'application/x-ndjson';
  /** The answer has its version in `ETag`; with `unless-past` only where it shows the present state. */
  readonly tagged?: true | 'unless-past';
}

/** What the documents tell of a route. */
export interface DocumentedRoute {
  readonly scope?: Scope;
  /** Operation id, unless it is derived from handler and controller. */
  readonly name?: string;
  readonly summary: string;
  readonly about?: string;
  readonly body?: Type<object>;
  /** Needed where a body with all members would be refused. */
  readonly example?: object;
  /** The status of the first is the handler's default. */
  readonly answers: readonly [Answer, ...Answer[]];
  /** Whether it accepts `If-Match`. */
  readonly versioned?: true;
  readonly filters?: Filters;
  /** The member of the body whose id may be unknown, where the path has no id. */
  readonly refers?: string;
  /** Error codes beyond those of every route. */
  readonly errors?: readonly ErrorCode[];
}

export interface ProjectRoute extends DocumentedRoute {
  readonly scope: Scope;
  readonly rate: RateClass;
  /** The body may name another class, by `rateClass`. */
  readonly classByBody?: true;
  /** Answers contain nothing that lists and transcripts do not also show. Other routes' kept answers are encrypted. */
  readonly openAnswers?: true;
  /** A request whose key is in use joins the one under way. 202 only says that the work continues: the next request gets its answer. */
  readonly joins?: true;
}
