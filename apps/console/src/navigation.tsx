import { useLocation } from 'preact-iso';
import { useEffect, useState } from 'preact/hooks';
import { api } from './api/api.js';
import { answerOf } from './api/problem.js';
import { Choice } from './parts/fields.js';
import { placeOf, useProject } from './state/project.js';
import { useAnswer } from './state/use-answer.js';
import { GROUPS, PLACES, TEXTS } from './texts.js';

type PlaceName = keyof typeof PLACES;

const OF_A_PROJECT: readonly PlaceName[] = [
  'overview',
  'conversations',
  'playground',
  'appointments',
  'calls',
  'customers',
  'events',
  'tasks',
];
const OF_THE_INSTALLATION: readonly PlaceName[] = ['projects', 'projections', 'audit'];

export function Navigation() {
  const project = useProject();
  const { path, route } = useLocation();
  const [isOpen, setOpen] = useState(false);
  useEffect(() => setOpen(false), [path]);
  const { data } = useAnswer(() => answerOf(api.GET('/admin/v1/projects', { params: { query: { limit: 100 } } })), [project]);
  const projects = data?.data ?? [];
  const link = (name: PlaceName) => <PlaceLink key={name} name={name} address={project ? placeOf(project, name) : '/admin/'} />;
  return (
    <header class="side">
      <div class="inner">
        <Choice
          label={TEXTS.project}
          name="project"
          value={project}
          options={projects.map(({ id, name }) => [id, name] as const)}
          onChange={(id) => route(placeOf(id, 'overview'))}
        />
        <button type="button" class="menu" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {TEXTS.menu}
        </button>
        <nav class={isOpen ? 'open' : undefined} aria-label={TEXTS.menu}>
          <ul>
            {OF_A_PROJECT.map(link)}
            <li>
              <span class="group">{GROUPS.settings}</span>
              <ul>
                <li>
                  <span class="group">{GROUPS.webhooks}</span>
                  <ul>
                    {link('deliveries')}
                    {link('endpoints')}
                  </ul>
                </li>
                {link('api-keys')}
              </ul>
            </li>
            {OF_THE_INSTALLATION.map((name) => (
              <PlaceLink key={name} name={name} address={`/admin/${name}`} />
            ))}
          </ul>
        </nav>
      </div>
    </header>
  );
}

function PlaceLink({ name, address }: { readonly name: PlaceName; readonly address: string }) {
  const { path } = useLocation();
  const isHere = path === address || path.startsWith(`${address}/`);
  return (
    <li>
      <a href={address} aria-current={isHere ? 'page' : undefined}>
        {PLACES[name]}
      </a>
    </li>
  );
}
