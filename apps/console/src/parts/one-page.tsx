import { useRoute } from 'preact-iso';
import type { ComponentChildren } from 'preact';
import { useProject } from '../state/project.js';
import { useAnswer } from '../state/use-answer.js';
import { useFresh } from '../state/use-fresh.js';
import { Loaded } from './loaded.js';
import { Place } from './place.js';

interface OnePageProps<Data> {
  readonly title: string;
  readonly ask: (path: { readonly project_id: string; readonly id: string }) => Promise<Data>;
  /** The kind of resource that it is: it is asked for again when it changes. */
  readonly live: string;
  /** What can be done with it, and then to be called. */
  readonly actions: (data: Data, onDone: () => void) => ComponentChildren;
  readonly children: (data: Data) => ComponentChildren;
}

/** The page of the one thing whose id ends the address. */
export function OnePage<Data>({ title, ask, live, actions, children }: OnePageProps<Data>) {
  const project_id = useProject();
  const { id = '' } = useRoute().params;
  const answer = useAnswer(() => ask({ project_id, id }), [project_id, id]);
  const { data, reload } = answer;
  useFresh([live], reload, (change) => change.id === id);
  return (
    <Place title={title} about={<code>{id}</code>} actions={data !== undefined && actions(data, reload)}>
      <Loaded of={answer}>{children}</Loaded>
    </Place>
  );
}
