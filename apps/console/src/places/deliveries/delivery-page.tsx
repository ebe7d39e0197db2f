import { useLocation, useRoute } from 'preact-iso';
import { api } from '../../api/api.js';
import { postedBody } from '../../api/posted-body.js';
import { answerOf } from '../../api/problem.js';
import { AskBefore } from '../../parts/ask-before.js';
import { CauseItems } from '../../parts/cause-items.js';
import { Curl } from '../../parts/curl.js';
import { Place, Section } from '../../parts/place.js';
import { ProblemNote } from '../../parts/problem-note.js';
import { Foreign, TextBlock } from '../../parts/text-block.js';
import { useChanges } from '../../state/changes.js';
import { placeOf, useProject } from '../../state/project.js';
import { useAnswer } from '../../state/use-answer.js';
import { TEXTS as COMMON } from '../../texts.js';
import { Attempts } from './attempts.js';
import { cancelDelivery, replayDelivery } from './replay-delivery.js';
import { DeliveryFacts, isOpenDelivery, type WholeDelivery } from './delivery-facts.js';
import { LocalReceiver } from './local-receiver.js';
import { SignatureSection } from './signature-section.js';
import { ONE_DELIVERY_TEXTS as TEXTS } from './texts.js';

/** One delivery: its status and why, its attempts, its body and its signature. */
export function DeliveryPage() {
  const project_id = useProject();
  const { id = '' } = useRoute().params;
  const ask = () =>
    answerOf(api.GET('/admin/v1/projects/{project_id}/deliveries/{id}', { params: { path: { project_id, id } } }));
  const { data: delivery, problem, reload } = useAnswer(ask, [project_id, id]);
  useChanges(['webhook_delivery'], (change) => {
    if (change === null || change.id === id) reload();
  });
  return (
    <Place title={TEXTS.title} about={<code>{id}</code>} actions={delivery && <Actions of={delivery} onDone={reload} />}>
      <ProblemNote problem={problem} onRetry={reload} />
      {!delivery && !problem && <p role="status">{COMMON.list.loading}</p>}
      {delivery && (
        <>
          <DeliveryFacts of={delivery} />
          <Curl request={{ path: `/deliveries/${id}` }} />
          <Attempts of={delivery} />
          <Causes id={delivery.id} />
          <Sent key={delivery.id} of={delivery} />
        </>
      )}
    </Place>
  );
}

function Actions({ of: { id, url, status }, onDone }: { readonly of: WholeDelivery; readonly onDone: () => void }) {
  const project = useProject();
  const { route } = useLocation();
  const isOpen = isOpenDelivery({ status });
  return (
    <>
      <AskBefore
        label={TEXTS.replay}
        title={TEXTS.replayTitle}
        onConfirm={async () => route(placeOf(project, 'deliveries', (await replayDelivery(project, id)).id))}
      >
        <p>
          <Foreign text={TEXTS.replayAbout(url)} />
        </p>
        {isOpen && <p>{TEXTS.replaySupersedes}</p>}
        <Curl request={{ method: 'POST', path: `/deliveries/${id}/retry` }} />
      </AskBefore>
      {isOpen && (
        <AskBefore
          label={TEXTS.cancel}
          title={TEXTS.cancelTitle}
          isDangerous
          onConfirm={async () => {
            await cancelDelivery(project, id);
            onDone();
          }}
        >
          <p>{TEXTS.cancelAbout}</p>
          <Curl request={{ method: 'POST', path: `/deliveries/${id}/cancel` }} />
        </AskBefore>
      )}
    </>
  );
}

function Causes({ id }: Pick<WholeDelivery, 'id'>) {
  const project_id = useProject();
  const of = { params: { path: { project_id, id } } };
  const causes = useAnswer(
    () => answerOf(api.GET('/admin/v1/projects/{project_id}/deliveries/{id}/causes', of)),
    [project_id, id],
  );
  return (
    <Section title={TEXTS.causes}>
      <ol class="timeline">
        <CauseItems of={causes} />
      </ol>
    </Section>
  );
}

/** What is posted: its body, its signature, and how to post it again. */
function Sent({ of: { event_id, trigger, attempts, url } }: { readonly of: WholeDelivery }) {
  const project_id = useProject();
  const isTest = trigger === 'test';
  const ask = async () => (isTest ? null : postedBody(project_id, event_id));
  const { data: body = null, problem, reload } = useAnswer(ask, [project_id, event_id, isTest]);
  const sent = attempts.filter(({ request_headers: headers }) => headers !== null).toReversed();
  return (
    <>
      <Section title={TEXTS.body}>
        <ProblemNote problem={problem} onRetry={reload} />
        {isTest && <p class="muted">{TEXTS.bodyOfTest}</p>}
        {body !== null && <TextBlock label={TEXTS.bodyAbout} text={body} />}
      </Section>
      <SignatureSection sent={sent} body={body} />
      <LocalReceiver attempt={sent[0]} body={body} url={url} />
    </>
  );
}
