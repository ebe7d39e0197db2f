import type { Problem } from '../api/problem.js';
import { TEXTS } from '../texts.js';

/** An error with its code and request id, and what to do. */
export function ProblemNote({ problem, onRetry }: { readonly problem: Problem | null; readonly onRetry?: () => void }) {
  if (!problem) return null;
  const { code, message, requestId, status } = problem;
  return (
    <div class="card problem stack tight" role="alert">
      <p class="text">
        <strong>{code}</strong>: {message}
      </p>
      {requestId !== null && (
        <p class="small muted">
          {TEXTS.problem.request} <code>{requestId}</code>
        </p>
      )}
      <p class="row">
        {status > 0 && (
          <a href={`/docs/errors#${code}`} target="_blank" rel="noreferrer">
            {TEXTS.problem.meaning}
          </a>
        )}
        {onRetry && <button onClick={onRetry}>{TEXTS.problem.retry}</button>}
      </p>
    </div>
  );
}
