export default function PackScreen() {
  return <h1 className="display gutter py-16 text-[52px]">Pack</h1>;
}
