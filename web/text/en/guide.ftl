guide-chapters = Chapters
guide-which-words = Which words?
guide-no-section-has-all-of-these = No section has all of these words: { $query }.
guide-the-first-sections-with-the-best = The first { $found } sections with “{ $query }”, the best first.
guide-sections-with = Sections with “{ $query }”: { $found }.
