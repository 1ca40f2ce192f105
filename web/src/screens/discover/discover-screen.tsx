export default function DiscoverScreen() {
  return <h1 className="display gutter py-16 text-[52px]">Discover</h1>;
}
