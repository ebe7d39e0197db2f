export const USER_AGENT = 'conversation-webhook-service/1';
