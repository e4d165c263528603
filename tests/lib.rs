//! Suites that look at the whole project; see the folders beside this file.
