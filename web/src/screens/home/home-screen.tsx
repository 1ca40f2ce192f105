export default function HomeScreen() {
  return <h1 className="display gutter py-16 text-[52px]">Home</h1>;
}
