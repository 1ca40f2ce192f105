/** Style sheets have nothing to say in jsdom. */
export default {};
