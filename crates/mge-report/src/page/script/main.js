startTabs();
startNetwork();
startFront();
startFronts();
startWhatIf();
markOverflow();
addEventListener("resize", markOverflow);
