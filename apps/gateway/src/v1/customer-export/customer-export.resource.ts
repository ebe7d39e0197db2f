import { ApiSchema } from '@nestjs/swagger';
import { KindMember, Member } from '../../http/docs/schemas.resource.js';
import { AppointmentChangeResource } from '../appointment-change.resource.js';
import { AppointmentResource } from '../appointment.resource.js';
import { ConversationResource } from '../conversation.resource.js';
import { CustomerResource } from '../customer.resource.js';
import { EventResource } from '../event.resource.js';
import { MessageResource } from '../message.resource.js';
import { SessionResource, SessionTurnResource } from '../session.resource.js';

@ApiSchema({ description: 'A conversation with all that was said in it.' })
class ExportedConversationResource extends ConversationResource {
  @Member({ type: [MessageResource] }, 'Its messages, oldest first.') messages!: readonly MessageResource[];
}

@ApiSchema({ description: 'A call with all that was said on it.' })
class ExportedSessionResource extends SessionResource {
  @Member({ type: [SessionTurnResource] }, 'What was said, in the order in which it was stored.')
  turns!: readonly SessionTurnResource[];
}

@ApiSchema({ description: 'An appointment with all that happened to it.' })
class ExportedAppointmentResource extends AppointmentResource {
  @Member({ type: [AppointmentChangeResource] }, 'Its changes, oldest first: the last one made the `version` that is shown.')
  history!: readonly AppointmentChangeResource[];
}

@ApiSchema({ description: 'Everything that is kept about a customer.' })
export class CustomerExportResource {
  @KindMember('customer_export') object!: 'customer_export';
  @Member({ type: CustomerResource }, 'The customer, with `deleted` true where it was deleted.') customer!: CustomerResource;
  @Member({ type: [ExportedConversationResource] }, 'The conversations with the customer, oldest first.')
  conversations!: readonly ExportedConversationResource[];
  @Member({ type: [ExportedSessionResource] }, 'The calls with the customer, oldest first.')
  sessions!: readonly ExportedSessionResource[];
  @Member({ type: [ExportedAppointmentResource] }, 'The appointments with the customer, oldest first.')
  appointments!: readonly ExportedAppointmentResource[];
  @Member(
    { type: [EventResource] },
    'The events of the last 30 days of these appointments, oldest first; where there are more than 50 appointments, those of the first 50 before those of the next.',
  )
  events!: readonly EventResource[];
}
