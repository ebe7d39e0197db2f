import { api } from '../../api/api.js';
import { answerOf } from '../../api/problem.js';
import { FEW, Few } from '../../parts/few.js';
import { placeOf, useProject } from '../../state/project.js';
import { PLACES } from '../../texts.js';
import { APPOINTMENT_COLUMNS } from './appointment-columns.js';

interface AppointmentsOfProps {
  readonly by: 'customer_id' | 'conversation_id' | 'session_id';
  readonly id: string;
  readonly empty: string;
}

/** The newest appointments of a customer, a conversation or a call. */
export function AppointmentsOf({ by, id, empty }: AppointmentsOfProps) {
  const project_id = useProject();
  const query = { [by]: id, limit: FEW };
  return (
    <Few
      caption={PLACES.appointments}
      ask={() => answerOf(api.GET('/admin/v1/projects/{project_id}/appointments', { params: { path: { project_id }, query } }))}
      keys={[project_id, by, id]}
      columns={APPOINTMENT_COLUMNS}
      live={['appointment']}
      empty={empty}
      all={`${placeOf(project_id, 'appointments')}?${by}=${id}`}
      request={{ path: '/appointments', query: { [by]: id, limit: String(FEW) } }}
    />
  );
}
