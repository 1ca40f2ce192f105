// Plays the previews of an embedded sample, pack, collection or workbench, one at a time.
(() => {
  const play = document.querySelector('.play');
  if (!play) return;
  const [position, time, status] = ['.wave input', '.time', '[role=status]'].map((one) =>
    document.querySelector(one),
  );
  const rows = [...document.querySelectorAll('li [data-preview]')];
  const audio = new Audio();
  // Other players on the same page stop when this one starts.
  const others = new BroadcastChannel('offcut-embed');
  let sound;

  const clock = (seconds) =>
    `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`;

  function show() {
    const [at, seconds] = [audio.currentTime, Number(position.max)];
    position.value = at;
    position.parentElement.style.setProperty('--played', `${(100 * at) / seconds}%`);
    position.setAttribute('aria-valuetext', `${clock(at)} of ${clock(seconds)}`);
    time.textContent = clock(audio.paused && at === 0 ? seconds : at);
    for (const button of [play, ...rows]) {
      const isCurrent = button === play || button === sound;
      const isPlaying = isCurrent && !audio.paused;
      button.classList.toggle('playing', isPlaying);
      button.ariaLabel = `${isPlaying ? 'Pause' : 'Play'} ${(button === play ? sound : button).dataset.title}`;
      if (button !== play) button.ariaCurrent = isCurrent ? 'true' : null;
    }
  }

  function choose(next) {
    sound = next;
    audio.preload = 'none';
    audio.src = sound.dataset.preview;
    position.max = sound.dataset.seconds;
    position.step = sound.dataset.seconds / 50;
    const bars = sound.dataset.wave.split(' ').map((level, bar) => {
      const height = Math.max(4, level * 0.4);
      return `M${bar} ${20 - height / 2}h.6v${height}h-.6z`;
    });
    for (const path of document.querySelectorAll('.wave path')) path.setAttribute('d', bars.join(''));
    show();
  }

  function start() {
    status.textContent = '';
    others.postMessage('playing');
    // A failed element plays nothing until it loads again.
    if (audio.error) audio.load();
    audio.play().catch((error) => {
      if (error.name === 'AbortError') return;
      audio.pause();
      status.textContent = 'This sound could not be played. Try again.';
      show();
    });
  }

  function press(button) {
    if (button !== play && button !== sound) {
      choose(button);
      start();
    } else if (audio.paused) start();
    else audio.pause();
  }

  for (const button of [play, ...rows]) button.addEventListener('click', () => press(button));
  position.addEventListener('input', () => {
    audio.currentTime = Number(position.value);
    show();
  });
  for (const change of ['play', 'pause', 'timeupdate', 'loadedmetadata'])
    audio.addEventListener(change, show);
  audio.addEventListener('ended', () => {
    const next = rows[rows.indexOf(sound) + 1];
    if (next) press(next);
    else audio.currentTime = 0;
  });
  others.addEventListener('message', () => audio.pause());
  choose(rows[0] ?? play);
})();
