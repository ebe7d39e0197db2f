import type { ClassConstructor } from 'class-transformer';
import type { ErrorCode } from '@domain/kernel/domain-error';
import type { IdKind } from '@domain/kernel/ids';
import type { Scope } from '@domain/project/scope';
import type { Filters } from '../paging/list-filters.js';
import type { RateClass } from './route-policy.js';

export interface Answer {
  readonly status: 200 | 201 | 202;
  readonly description: string;
  readonly resource: ClassConstructor<object>;
  /** A page of the resource, whose ids are of this kind. */
  readonly list?: IdKind;
  /** Of a page: what comes first unless a client asks otherwise; `newest` when absent. */
  readonly first?: 'newest' | 'oldest';
  /** Comes with its version in `ETag`. */
  readonly tagged?: true;
}

export interface ProjectRoute {
  readonly scope: Scope;
  readonly rate: RateClass;
  /** What generated clients call it, where handler and controller do not say so. */
  readonly name?: string;
  /** One line for the documentation. */
  readonly summary: string;
  readonly body?: ClassConstructor<object>;
  /** A body to start from, where all members together would be refused. */
  readonly example?: object;
  /** The first is what a handler answers with unless it says otherwise. */
  readonly answers: readonly [Answer, ...Answer[]];
  /**
   * Its answers hold nothing that lists and transcripts do not tell as well. Otherwise what is kept of them under an
   * idempotency key is sealed.
   */
  readonly openAnswers?: true;
  /** Takes `If-Match`. */
  readonly versioned?: true;
  /** Present on lists. */
  readonly filters?: Filters;
  /** The member of its body that an unknown id is looked for under, where its path has none. */
  readonly refers?: string;
  /** What it refuses with, beyond what every route does. */
  readonly errors?: readonly ErrorCode[];
}
