import { api } from '../../api/api.js';
import { answerOf } from '../../api/problem.js';
import { changedMembers } from '../../parts/changed-members.js';
import { Edit } from '../../parts/edit.js';
import { Field } from '../../parts/fields.js';
import { MetadataField } from '../../parts/metadata-field.js';
import { useProject } from '../../state/project.js';
import type { Conversation } from './conversation-columns.js';
import { WORDS } from './texts.js';

/** Changes what a client stores with a conversation. */
export function EditConversation({ of, onDone }: { readonly of: Conversation; readonly onDone: () => void }) {
  const params = { path: { project_id: useProject(), id: of.id } };
  return (
    <Edit
      label={WORDS.edit}
      about={WORDS.editAbout}
      of={of}
      path={`/conversations/${of.id}`}
      bodyOf={(values, first) => changedMembers(values, first, ['time_zone'])}
      save={(body) => answerOf(api.PATCH('/admin/v1/projects/{project_id}/conversations/{id}', { params, body }))}
      onDone={onDone}
    >
      {({ time_zone: zone, metadata }) => (
        <>
          <Field label={WORDS.labels.zone} name="time_zone" value={zone ?? ''} />
          <MetadataField of={{ metadata }} />
        </>
      )}
    </Edit>
  );
}
