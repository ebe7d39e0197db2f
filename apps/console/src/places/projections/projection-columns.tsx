import type { components } from '../../api/admin-api.js';
import { Section } from '../../parts/place.js';
import { WORDS } from './texts.js';

type Column = components['schemas']['ProjectionResource']['columns'][number];

/** What the files of a projection have, in their order. */
export function ProjectionColumns({ columns }: { readonly columns: readonly Column[] }) {
  return (
    <Section title={WORDS.columns}>
      <div class="list">
        <table>
          <thead>
            <tr>
              {['Name', 'Type', 'Meaning', 'Personal'].map((label) => (
                <th key={label} scope="col">
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {columns.map(({ name, type, unit, meaning, personal }) => (
              <tr key={name}>
                <td data-label="Name">
                  <code>{name}</code>
                </td>
                <td data-label="Type">{unit === null ? type : `${type}, ${unit}`}</td>
                <td data-label="Meaning">{meaning}</td>
                <td data-label="Personal">{personal ? 'masked' : '–'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Section>
  );
}
