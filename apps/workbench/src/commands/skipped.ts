import { allPages } from './all-pages.js';
import { type Command, NO_NAMES } from './command.js';

interface SkippedEvent {
  readonly id: string;
  readonly component: string;
  readonly type: string;
  readonly stream: string;
  readonly error: string;
  readonly attempts: number;
}

export const SKIPPED = '/admin/v1/skipped_events';

export const skipped: Command = {
  name: 'skipped',
  ...NO_NAMES,
  about: 'lists the events that the service could not apply.',
  options: {},
  async run(workbench) {
    for await (const event of allPages<SkippedEvent>(await workbench.session(), SKIPPED))
      await workbench.output.tell(event, shown(event));
    return 0;
  },
};

function shown({ id, component, type, stream, error, attempts }: SkippedEvent): string {
  return `${id}  ${component}  ${type} of ${stream}: ${error}, tried ${attempts} times`;
}
