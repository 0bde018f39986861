/**
 * The version of this package.
 *
 * @module
 */

/** As in package.json; a test holds them equal. Written here because a built file cannot know where that file is. */
export const VERSION: string = "0.1.0";
