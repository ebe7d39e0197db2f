import type { Type } from '@nestjs/common';
import type { ErrorCode } from '@domain/kernel/domain-error';
import type { IdKind } from '@domain/kernel/ids';
import type { Scope } from '@domain/project/scope';
import type { Filters } from '../paging/list-filters.js';
import type { RateClass } from './routes.js';

export interface Answer {
  readonly status: 200 | 201 | 202;
  readonly description: string;
  readonly resource: Type<object>;
  /** Present where the answer is a page; the kind of its items' ids. */
  readonly list?: IdKind;
  /** The default order of a page; `newest` when absent. */
  readonly first?: 'newest' | 'oldest';
  /** Whether the answer has its version in `ETag`. */
  readonly tagged?: true;
}

export interface ProjectRoute {
  readonly scope: Scope;
  readonly rate: RateClass;
  /** The operation id, where it is not made of the names of handler and controller. */
  readonly name?: string;
  /** One line for the documentation. */
  readonly summary: string;
  /** What the summary does not say. */
  readonly about?: string;
  readonly body?: Type<object>;
  /** An example body, where one with all members would be refused. */
  readonly example?: object;
  /** The successful answers; the status of the first is the default of the handler. */
  readonly answers: readonly [Answer, ...Answer[]];
  /**
   * Its answers contain nothing that lists and transcripts do not show too. The answers of other routes are encrypted
   * where they are kept under an idempotency key.
   */
  readonly openAnswers?: true;
  /** Whether it accepts `If-Match`. */
  readonly versioned?: true;
  /** The filters of a list. */
  readonly filters?: Filters;
  /** The member of the body whose id may be unknown, where the path has no id. */
  readonly refers?: string;
  /** Error codes beyond those of every route. */
  readonly errors?: readonly ErrorCode[];
}
