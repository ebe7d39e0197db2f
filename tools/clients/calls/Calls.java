import java.time.OffsetDateTime;
import java.util.Map;
import java.util.Objects;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.Configuration;
import org.openapitools.client.JSON;
import org.openapitools.client.api.AppointmentsApi;
import org.openapitools.client.api.EventsApi;
import org.openapitools.client.api.MessagesApi;
import org.openapitools.client.api.SessionsApi;
import org.openapitools.client.api.WebhookEndpointsApi;
import org.openapitools.client.auth.HttpBearerAuth;
import org.openapitools.client.model.AppointmentListResource;
import org.openapitools.client.model.AppointmentResource;
import org.openapitools.client.model.BookAppointmentDto;
import org.openapitools.client.model.CloseSessionDto;
import org.openapitools.client.model.ConfirmAppointmentDto;
import org.openapitools.client.model.CustomerDto;
import org.openapitools.client.model.DeliveryResource;
import org.openapitools.client.model.ErrorResource;
import org.openapitools.client.model.EventResource;
import org.openapitools.client.model.OpenSessionDto;
import org.openapitools.client.model.RegisterEndpointDto;
import org.openapitools.client.model.SendMessageDto;
import org.openapitools.client.model.SentMessageResource;
import org.openapitools.client.model.SessionResource;
import org.openapitools.client.model.TestEndpointDto;
import org.openapitools.client.model.WebhookEndpointWithSecretResource;

/** Calls the service with the generated client. */
public class Calls {
  private static final OffsetDateTime START = OffsetDateTime.parse("2031-03-03T09:00:00Z");
  private static final ApiClient api = Configuration.getDefaultApiClient();
  private static final AppointmentsApi appointments = new AppointmentsApi();
  private static AppointmentResource booked;

  private interface Call {
    void run() throws Exception;
  }

  public static void main(String[] args) {
    api.setBasePath(System.getenv("BASE_URL"));
    ((HttpBearerAuth) api.getAuthentication("api_key")).setBearerToken(System.getenv("API_KEY"));
    attempt("posts a message and reads the reply", Calls::postMessage);
    attempt("books an appointment and passes on its version", Calls::book);
    attempt("finds the appointment by a range of times", Calls::find);
    attempt("reads the code of an error", Calls::readError);
    attempt("reads a call, an event and a delivery", Calls::readOthers);
    // Threads of the HTTP client would keep the process for a minute.
    System.exit(0);
  }

  private static void attempt(String name, Call call) {
    try {
      call.run();
      System.out.println("ok " + name);
    } catch (Throwable error) {
      System.out.println("FAILED " + name + ": " + error.toString().replace("\n", " "));
    }
  }

  private static void equal(Object actual, Object expected) {
    if (!Objects.equals(actual, expected)) throw new AssertionError(actual + " is not " + expected);
  }

  private static void postMessage() throws ApiException {
    Map<String, Object> metadata = Map.of("channel", Map.of("name", "web"));
    SendMessageDto body = new SendMessageDto().externalConversationId("java").content("Hello").metadata(metadata);
    SentMessageResource sent = new MessagesApi().sendMessage(body, "java-hello");
    equal(sent.getReply().getRole().getValue(), "assistant");
    equal(sent.getConversation().getMetadata(), metadata);
    equal(sent.getConversation().getEndReason(), null);
    equal(sent.getReply().getContent().isEmpty(), false);
  }

  private static void book() throws ApiException {
    CustomerDto customer = new CustomerDto().phone("+4915112345678");
    BookAppointmentDto body = new BookAppointmentDto().customer(customer).service("java").startsAt(START).durationMinutes(45);
    booked = appointments.bookAppointment(body, null);
    equal(booked.getStartsAt().toInstant(), START.toInstant());
    equal(booked.getFailure(), null);
    ConfirmAppointmentDto sameVersion = new ConfirmAppointmentDto().expectedVersion(booked.getVersion());
    AppointmentResource confirmed = appointments.confirmAppointment(booked.getId(), null, null, sameVersion);
    equal(confirmed.getStatus(), AppointmentResource.StatusEnum.CONFIRMED);
    equal(confirmed.getVersion(), booked.getVersion() + 1);
  }

  private static AppointmentListResource startingWithin(OffsetDateTime from, OffsetDateTime until) throws ApiException {
    String customer = booked.getCustomerId();
    return appointments.listAppointments(
        null, null, null, null, null, customer, null, null, null, null,
        from, null, null, until, null, null, null, null, null, null, null, null);
  }

  private static void find() throws ApiException {
    AppointmentListResource page = startingWithin(START.minusHours(1), START.plusHours(1));
    equal(page.getData().size(), 1);
    equal(page.getData().get(0).getId(), booked.getId());
    equal(page.getNextCursor(), null);
    equal(startingWithin(START.plusNanos(1), START.plusHours(1)).getData().size(), 0);
  }

  private static void readError() throws Exception {
    try {
      appointments.getAppointment("apt_01J9Z3K8Q4T6V8X0A2C4E6G8J0", null);
    } catch (ApiException error) {
      ErrorResource answer = JSON.deserialize(error.getResponseBody(), ErrorResource.class);
      equal(error.getCode(), 404);
      equal(answer.getError().getCode(), "resource_missing");
      return;
    }
    throw new AssertionError("an appointment is there that nobody booked");
  }

  private static void readOthers() throws ApiException {
    SessionsApi sessions = new SessionsApi();
    SessionResource opened = sessions.openSession(new OpenSessionDto().direction(OpenSessionDto.DirectionEnum.INBOUND), null);
    equal(opened.getOutcome(), null);
    CloseSessionDto closing = new CloseSessionDto().outcome(CloseSessionDto.OutcomeEnum.NO_ACTION);
    equal(sessions.closeSession(opened.getId(), null, closing).getOutcome(), SessionResource.OutcomeEnum.NO_ACTION);
    EventResource created =
        new EventsApi().listEvents(null, null, null, "asc", null, null, booked.getId(), null, null, null, null).getData().get(0);
    equal(created.getPreviousAttributes().getStatus(), null);
    equal(created.getThin(), null);
    WebhookEndpointsApi endpoints = new WebhookEndpointsApi();
    RegisterEndpointDto registration = new RegisterEndpointDto().url("https://hooks.client.example/");
    WebhookEndpointWithSecretResource endpoint = endpoints.registerWebhookEndpoint(registration, null);
    DeliveryResource tested = endpoints.testWebhookEndpoint(endpoint.getId(), null, new TestEndpointDto());
    equal(tested.getTrigger(), DeliveryResource.TriggerEnum.TEST);
    equal(endpoints.deleteWebhookEndpoint(endpoint.getId()).getDeleted(), true);
  }
}
