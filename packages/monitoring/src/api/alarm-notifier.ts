import type { Stopping } from '@hashrange/engine'

/** Where notifications of alarms go. Alarms themselves know no network. */
export interface AlarmNotifier {
  /** Why an address would not be notified, if it would not: an alarm that names it is refused when it is made. */
  refusalOf(url: string): string | undefined
  /** Settles once the notification has been taken; rejects if it could not be delivered, or not before all is to stop. */
  notify(url: string, notification: AlarmNotification, stopping: Stopping): Promise<void>
}

/** In the form in which SNS delivers CloudWatch's notifications over HTTP: `Message` is JSON in a text. */
export interface AlarmNotification {
  readonly Type: 'Notification'
  readonly MessageId: string
  readonly TopicArn: string
  readonly Subject: string
  readonly Message: string
  readonly Timestamp: string
}
