/**
 * Characters that change the direction of what follows: text that contains one can swap the words
 * beside it. They have no use in one line of plain text, where nothing can isolate them.
 */
const directionOverrides = /[\u202a-\u202e\u2066-\u2069]/g

/** Text for places without markup of their own, such as titles. */
export const withoutOverrides = (text: string): string => text.replaceAll(directionOverrides, '\ufffd')
