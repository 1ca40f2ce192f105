// Stands in for style sheets: jsdom lays nothing out.
