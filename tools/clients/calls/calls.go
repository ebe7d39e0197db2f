// Calls the service with the generated client.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	client "github.com/generated/client"
)

var (
	ctx    = context.WithValue(context.Background(), client.ContextAccessToken, os.Getenv("API_KEY"))
	api    = newClient()
	start  = time.Date(2031, time.March, 3, 9, 0, 0, 0, time.UTC)
	booked *client.AppointmentResource
)

func newClient() *client.APIClient {
	configuration := client.NewConfiguration()
	configuration.Servers = client.ServerConfigurations{{URL: os.Getenv("BASE_URL")}}
	return client.NewAPIClient(configuration)
}

func equal(actual, expected any) error {
	if actual != expected {
		return fmt.Errorf("%v is not %v", actual, expected)
	}
	return nil
}

func postMessage() error {
	body := client.NewSendMessageDto("go", "Hello")
	body.SetMetadata(map[string]any{"channel": map[string]any{"name": "web"}})
	sent, _, err := api.MessagesAPI.SendMessage(ctx).SendMessageDto(*body).IdempotencyKey("go-hello").Execute()
	if err != nil {
		return err
	}
	return errors.Join(
		equal(sent.GetReply().Role, "assistant"),
		equal(sent.Conversation.Metadata["channel"].(map[string]any)["name"], "web"),
		equal(sent.GetReply().Content == "", false),
	)
}

func book() error {
	customer := client.NewCustomerDto()
	customer.SetEmail("go@client.example")
	body := client.NewBookAppointmentDto("go", start)
	body.SetCustomer(*customer)
	var err error
	if booked, _, err = api.AppointmentsAPI.BookAppointment(ctx).BookAppointmentDto(*body).Execute(); err != nil {
		return err
	}
	sameVersion := client.NewConfirmAppointmentDto()
	sameVersion.SetExpectedVersion(booked.Version)
	confirmed, _, err := api.AppointmentsAPI.ConfirmAppointment(ctx, booked.Id).ConfirmAppointmentDto(*sameVersion).Execute()
	if err != nil {
		return err
	}
	return errors.Join(
		equal(booked.StartsAt.Equal(start), true),
		equal(booked.Failure.IsSet() && booked.Failure.Get() == nil, true),
		equal(confirmed.Status, "confirmed"),
		equal(confirmed.Version, booked.Version+1),
	)
}

func find() error {
	hourBefore := start.Add(-time.Hour).In(time.FixedZone("", -3*60*60))
	search := api.AppointmentsAPI.ListAppointments(ctx).CustomerId(booked.GetCustomerId())
	page, _, err := search.StartsAtGte(hourBefore).StartsAtLt(start.Add(time.Hour)).Execute()
	if err != nil {
		return err
	}
	later, _, err := search.StartsAtGt(start.Add(time.Nanosecond)).Execute()
	if err != nil {
		return err
	}
	if len(page.Data) != 1 {
		return fmt.Errorf("%d appointments are found", len(page.Data))
	}
	return errors.Join(equal(page.Data[0].Id, booked.Id), equal(page.HasMore, false), equal(len(later.Data), 0))
}

func readError() error {
	_, _, err := api.AppointmentsAPI.GetAppointment(ctx, "apt_01J9Z3K8Q4T6V8X0A2C4E6G8J0").Execute()
	var refusal *client.GenericOpenAPIError
	if !errors.As(err, &refusal) {
		return fmt.Errorf("the answer is no refusal: %v", err)
	}
	answer, ok := refusal.Model().(client.ErrorResource)
	if !ok {
		return fmt.Errorf("the refusal has no model: %s", refusal.Body())
	}
	return equal(answer.Error.Code, "resource_missing")
}

func readOthers() error {
	opened, _, err := api.SessionsAPI.OpenSession(ctx).OpenSessionDto(*client.NewOpenSessionDto("inbound")).Execute()
	if err != nil {
		return err
	}
	closing := client.NewCloseSessionDto()
	closing.SetOutcome("no_action")
	closed, _, err := api.SessionsAPI.CloseSession(ctx, opened.Id).CloseSessionDto(*closing).Execute()
	if err != nil {
		return err
	}
	events, _, err := api.EventsAPI.ListEvents(ctx).ObjectId(booked.Id).Order("asc").Execute()
	if err != nil {
		return err
	}
	registration := client.NewRegisterEndpointDto("https://hooks.client.example/")
	endpoint, _, err := api.WebhookEndpointsAPI.RegisterWebhookEndpoint(ctx).RegisterEndpointDto(*registration).Execute()
	if err != nil {
		return err
	}
	test := api.WebhookEndpointsAPI.TestWebhookEndpoint(ctx, endpoint.Id).TestEndpointDto(*client.NewTestEndpointDto())
	tested, _, err := test.Execute()
	if err != nil {
		return err
	}
	deleted, _, err := api.WebhookEndpointsAPI.DeleteWebhookEndpoint(ctx, endpoint.Id).Execute()
	if err != nil {
		return err
	}
	return errors.Join(
		equal(opened.GetOutcome(), ""),
		equal(closed.GetOutcome(), "no_action"),
		equal(events.Data[0].PreviousAttributes.GetStatus(), ""),
		equal(tested.Trigger, "test"),
		equal(deleted.Deleted, true),
	)
}

func attempt(name string, call func() error) {
	defer func() {
		if cause := recover(); cause != nil {
			fmt.Printf("FAILED %s: %v\n", name, cause)
		}
	}()
	if err := call(); err != nil {
		fmt.Printf("FAILED %s: %s\n", name, strings.ReplaceAll(err.Error(), "\n", " "))
		return
	}
	fmt.Printf("ok %s\n", name)
}

func main() {
	attempt("posts a message and reads the reply", postMessage)
	attempt("books an appointment and passes on its version", book)
	attempt("finds the appointment by a range of times", find)
	attempt("reads the code of an error", readError)
	attempt("reads a call, an event and a delivery", readOthers)
}
