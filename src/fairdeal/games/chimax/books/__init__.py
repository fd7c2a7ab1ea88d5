"""CHIMAX BOOKS: a trick-taking game with blind hands, wild question marks and a target score."""
