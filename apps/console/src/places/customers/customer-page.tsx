import { useState } from 'preact/hooks';
import { api } from '../../api/api.js';
import { answerOf } from '../../api/problem.js';
import { Curl } from '../../parts/curl.js';
import { Dialog } from '../../parts/dialog.js';
import { Facts } from '../../parts/facts.js';
import { Metadata } from '../../parts/metadata.js';
import { OnePage } from '../../parts/one-page.js';
import { Section } from '../../parts/place.js';
import { Status } from '../../parts/status.js';
import { Foreign } from '../../parts/text-block.js';
import { Time } from '../../parts/time.js';
import { useProject } from '../../state/project.js';
import { PLACES } from '../../texts.js';
import { AppointmentsOf } from '../appointments/appointments-of.js';
import { CallsOf } from '../calls/calls-of.js';
import { ConversationsOf } from '../conversations/conversations-of.js';
import type { Customer } from './customer-columns.js';
import { CustomerForm, type CustomerValues } from './customer-form.js';
import { DeleteCustomer } from './delete-customer.js';
import { WORDS } from './texts.js';

/** One customer, and the conversations, calls and appointments with them. */
export function CustomerPage() {
  return (
    <OnePage
      title={WORDS.one}
      ask={(path) => answerOf(api.GET('/admin/v1/projects/{project_id}/customers/{id}', { params: { path } }))}
      live="customer"
      actions={(customer, onDone) => !customer.deleted && <Actions of={customer} onDone={onDone} />}
    >
      {(customer) => (
        <>
          <CustomerFacts of={customer} />
          <Section title={PLACES.appointments}>
            <AppointmentsOf by="customer_id" id={customer.id} empty={WORDS.noAppointments} />
          </Section>
          <Section title={PLACES.conversations}>
            <ConversationsOf customerId={customer.id} empty={WORDS.noConversations} />
          </Section>
          <Section title={PLACES.calls}>
            <CallsOf by="customer_id" id={customer.id} empty={WORDS.noCalls} />
          </Section>
          <Export id={customer.id} />
        </>
      )}
    </OnePage>
  );
}

function Actions({ of, onDone }: { readonly of: Customer; readonly onDone: () => void }) {
  return (
    <>
      <EditCustomer of={of} onDone={onDone} />
      <DeleteCustomer id={of.id} onDone={onDone} />
    </>
  );
}

function CustomerFacts({ of }: { readonly of: Customer }) {
  const { labels } = WORDS;
  return (
    <div class="card stack">
      <Facts
        of={[
          ...(of.deleted ? [[labels.status, <Status status="deleted" />] as const] : []),
          [labels.name, <Foreign text={of.name} />],
          [labels.phone, <Foreign text={of.phone} />],
          [labels.email, <Foreign text={of.email} />],
          [labels.externalId, <Foreign text={of.external_id} />],
          [labels.created, <Time at={of.created_at} whole />],
          [labels.updated, <Time at={of.updated_at} whole />],
          ...(of.deleted ? [[labels.deleted, <Time at={of.deleted_at} whole />] as const] : []),
        ]}
      />
      <Metadata of={of.metadata} />
      <Curl request={{ path: `/customers/${of.id}` }} />
    </div>
  );
}

function Export({ id }: { readonly id: string }) {
  const project = useProject();
  return (
    <Section title={WORDS.export}>
      <p class="muted">{WORDS.exportAbout}</p>
      <p>
        <a href={`/admin/v1/projects/${project}/customers/${id}/export`} download={`${id}.json`}>
          {WORDS.download}
        </a>
      </p>
      <Curl request={{ path: `/customers/${id}/export` }} />
    </Section>
  );
}

function EditCustomer({ of, onDone }: { readonly of: Customer; readonly onDone: () => void }) {
  const project_id = useProject();
  const [isOpen, setOpen] = useState(false);
  const save = async (body: CustomerValues) => {
    const params = { path: { project_id, id: of.id } };
    await answerOf(api.PATCH('/admin/v1/projects/{project_id}/customers/{id}', { params, body }));
    setOpen(false);
    onDone();
  };
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        {WORDS.edit}
      </button>
      {isOpen && (
        <Dialog title={WORDS.edit} onClose={() => setOpen(false)}>
          <CustomerForm
            label={WORDS.save}
            customer={of}
            request={{ method: 'PATCH', path: `/customers/${of.id}` }}
            onSubmit={save}
          />
        </Dialog>
      )}
    </>
  );
}
