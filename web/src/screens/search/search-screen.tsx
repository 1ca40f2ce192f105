export default function SearchScreen() {
  return <h1 className="display gutter py-16 text-[52px]">Search</h1>;
}
