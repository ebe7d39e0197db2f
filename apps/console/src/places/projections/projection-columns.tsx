import type { components } from '../../api/admin-api.js';
import { Section } from '../../parts/place.js';
import { WORDS } from './texts.js';

const facts = WORDS.columnFacts;

type Column = components['schemas']['ProjectionResource']['columns'][number];

/** What the files of a projection have, in their order. */
export function ProjectionColumns({ columns }: { readonly columns: readonly Column[] }) {
  return (
    <Section title={WORDS.columns}>
      <div class="list">
        <table>
          <thead>
            <tr>
              {[facts.name, facts.type, facts.meaning, facts.personal].map((label) => (
                <th key={label} scope="col">
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {columns.map(({ name, type, unit, meaning, personal }) => (
              <tr key={name}>
                <td data-label={facts.name}>
                  <code>{name}</code>
                </td>
                <td data-label={facts.type}>{unit === null ? type : `${type}, ${unit}`}</td>
                <td data-label={facts.meaning}>{meaning}</td>
                <td data-label={facts.personal}>{personal ? facts.masked : '–'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Section>
  );
}
