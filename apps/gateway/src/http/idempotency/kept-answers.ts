import type { Secrets } from '@ports/secrets.port';
import type { IdempotencyRecord, KeptAnswer, StoredAnswer } from './idempotency-record.js';

const SEALED_FOR = 'idempotency-answer';

/** Answers on their way into records and out of them. One that is sealed can be read under its own record's key only. */
export class KeptAnswers {
  constructor(private readonly secrets: Secrets) {}

  keep({ status, headers, body }: StoredAnswer, recordKey: string, sealed: boolean): KeptAnswer {
    return { status, headers, sealed, body: sealed ? this.secrets.seal(body, SEALED_FOR + recordKey) : body };
  }

  /** The answer that a record holds, as this version or an earlier one kept it; null while there is none. */
  answerIn({ answer, sealedAnswer }: IdempotencyRecord, recordKey: string): StoredAnswer | null {
    if (sealedAnswer !== undefined) return JSON.parse(this.secrets.open(sealedAnswer, SEALED_FOR + recordKey)) as StoredAnswer;
    if (!answer) return null;
    const { status, headers, sealed, body } = answer;
    return { status, headers, body: sealed ? this.secrets.open(body, SEALED_FOR + recordKey) : body };
  }
}
