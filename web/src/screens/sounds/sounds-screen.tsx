export default function SoundsScreen() {
  return <h1 className="display gutter py-16 text-[52px]">Sounds</h1>;
}
