document.title = 'Drover';
