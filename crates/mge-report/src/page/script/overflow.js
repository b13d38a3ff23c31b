// Marks boxes that are wider than the window, so that they show a hint and can be scrolled by keys.
function markOverflow() {
  for (const box of document.querySelectorAll(".scroll")) {
    const isWide = box.scrollWidth > box.clientWidth + 1;
    box.classList.toggle("wide", isWide);
    if (isWide || box.scrollHeight > box.clientHeight + 1) box.tabIndex = 0;
    else box.removeAttribute("tabindex");
    let hint = box.previousElementSibling;
    if (!hint || !hint.classList.contains("scroll-hint")) hint = null;
    if (isWide && !hint) box.before(element("div", "Scroll sideways to see all →", "scroll-hint screen"));
    else if (!isWide && hint) hint.remove();
  }
}
