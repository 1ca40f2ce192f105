/** jsdom does not need style sheets. */
export default {};
