import { api } from '../../api/api.js';
import { answerOf } from '../../api/problem.js';
import { changedMembers } from '../../parts/changed-members.js';
import { Edit } from '../../parts/edit.js';
import { Area } from '../../parts/fields.js';
import { MetadataField } from '../../parts/metadata-field.js';
import { useProject } from '../../state/project.js';
import type { Appointment } from './appointment-columns.js';
import { WORDS } from './texts.js';

/** Changes what is noted for an appointment, in any status; refused where it has changed since it was shown. */
export function AmendAppointment({ of, onDone }: { readonly of: Appointment; readonly onDone: () => void }) {
  const params = { path: { project_id: useProject(), id: of.id } };
  return (
    <Edit
      label={WORDS.amend}
      about={WORDS.amendAbout}
      of={of}
      path={`/appointments/${of.id}`}
      bodyOf={(values, first) => ({
        expected_version: first.version,
        ...changedMembers(values, first, ['notes', 'location']),
      })}
      save={(body) => answerOf(api.PATCH('/admin/v1/projects/{project_id}/appointments/{id}', { params, body }))}
      onDone={onDone}
    >
      {({ notes, location, metadata }) => (
        <>
          <Area label={WORDS.labels.notes} name="notes" value={notes ?? ''} />
          <Area label={WORDS.labels.location} name="location" value={location ?? ''} />
          <MetadataField of={{ metadata }} />
        </>
      )}
    </Edit>
  );
}
