import { type ComponentProps, type ReactNode, useId } from 'react';

/** A section whose heading is its accessible name. @param props.heading the classes of the heading */
export function Section({
  title,
  heading,
  level: Heading = 'h2',
  children,
  ...rest
}: Omit<ComponentProps<'section'>, 'title'> & { title: ReactNode; heading: string; level?: 'h2' | 'h3' }) {
  const id = useId();
  return (
    <section aria-labelledby={id} {...rest}>
      <Heading id={id} className={heading}>
        {title}
      </Heading>
      {children}
    </section>
  );
}
