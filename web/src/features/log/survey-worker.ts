/** The worker that searches the logs of a build's steps; it can be ended without losing the log that is being read. */
import { SurveyHost, type FromSurvey, type ToSurvey } from '../../lib/log/survey.ts'

const host = new SurveyHost((message: FromSurvey) => self.postMessage(message))

self.addEventListener('message', (event: MessageEvent<ToSurvey>) => host.handle(event.data))
