import type { components } from '../api/admin-api.js';
import { Status } from './status.js';

type State = components['schemas']['ProjectionResource']['state'];

const LIKE: Readonly<Record<State, string>> = {
  live: 'completed',
  catching_up: 'running',
  rebuilding: 'running',
  no_process: 'failed',
};

/** What a projection does. */
export function ProjectionStatus({ state }: { readonly state: State }) {
  return <Status status={state} like={LIKE[state]} />;
}
