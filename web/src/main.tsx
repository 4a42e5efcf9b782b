// The simulator's page: the server answers.
import { start } from "./app";
import "./style.css";

void start();
